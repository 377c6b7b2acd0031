// Expected: the annotation makes it test code.
package q

import org.junit.jupiter.api.Test
import kotlin.test.assertEquals

class QueueCheck {
    private val queue = Queue<Int>()

    @Test
    fun `puts one`() {
        queue.put(1)
        assertEquals(1, queue.size)
    }
}
