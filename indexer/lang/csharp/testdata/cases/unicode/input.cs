// Expected: names of letters beyond ASCII, and every line right after them.
namespace Größe;

/// <summary>Zählt Wörter — schnell. Und mehr.</summary>
public class Zähler
{
    string 名前 = "日本語 😀"; public int Δ { get; } = '\u00e9';
    public void Prüfe(string größe) { Größe.Messe(größe); var naïve = @"C:\ä""b"; naïve.Los(); }
}
