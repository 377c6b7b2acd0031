// 名前と絵文字 😀 é (e + combining mark) stand before the names: lines stay exact.
/* größe: the size. */
static const char *größe = "日本語 😀";
int zähler(int ä) { return ä + hilfe("😀"); }
int after_emoji(void) { return 0; } // 😀
