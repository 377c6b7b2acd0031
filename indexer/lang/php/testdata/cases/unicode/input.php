<?php
// Ünïcödé 🎉 日本語 é: names and lines below are exact.
const ÜBER = "🎉🎉🎉";
class Größe {
    /** 長さを返す。二番目の文。 */
    public function länge($größe) { return $größe->länge_von("😀"); }
    public string $名前 = 'x';
}
function after_emoji() {}
