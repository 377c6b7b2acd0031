// Expected: damage costs what it stands in.
struct First { 1: i32 a
  2: string b = "open
  3: string c
struct Second { 1: First a }
service Third {
  void one(1: i32 a
  void two()
}
}
enum Fourth { A, = 3, B }
/* open
struct Fifth { 1: i32 é; }
struct Fifth { 1: string 注 }
struct
