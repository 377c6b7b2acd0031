package merge;

public class Conflict {
  public void before() {}

<<<<<<< HEAD
  public void ours() {
    a();
  }
=======
  public void theirs() {
    b();
  }
>>>>>>> branch

  public void after() {}
}
