def targets = ['a', 'b']

// Expected: stages of scripted pipelines, also those in functions.
node('linux') {
    stage('Checkout') { checkout scm }
    stage("Deploy ${env.TAG}") {
        load('ci/deploy.groovy')
    }
}

def call(Map params = [:]) {
    stage('Inner') { sh 'x' }
}

println helper(1)
run 'x', { y() }
String text = 'a'
