package 注文;

// 😀 emoji, 漢字 and combining marks (é) earlier in the file shift no line.
class Übung {
  String größe = "😀😀"; /* 漢字 */ int länge;

  /** 説明です。次の文。 */
  void 変数(int число) {
    зов(число);
  }

  static final String $dollar_1 = "é";
}
