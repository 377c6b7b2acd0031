/* 日本語 😀 é — text outside ASCII before the code */
const größe = '😀😀', π = 3.14
/** Zählt die Größe. */
export function zähle(値: string): number { return größe.length + 値.length }
export class 名前 { 方法() { return zähle('é') } }
