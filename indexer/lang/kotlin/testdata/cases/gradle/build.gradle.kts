// Expected: an outline of what the script defines; blocks are calls.
import org.gradle.api.tasks.Copy

plugins {
    kotlin("jvm") version "1.9.0"
    id("x.y") apply false
}

val kotlinVersion: String by project
val dep = "a:b:$kotlinVersion"

dependencies {
    val local = 1
    implementation(dep)
    testImplementation(libs.junit)
}

tasks.register<Copy>("copyAll") {
    from("src")
}

fun helper(n: Int) = n
