// Expected: the first sentence of every summary, without tags. A comment of
// two slashes, one of four and one behind a blank declaration document nothing.
namespace Docs;

/// <summary>
/// Reads <c>a &lt; b</c> with the <see cref="T:Docs.Parser{T}"/>, or
/// <see langword="null"/>.
/// Second sentence.
/// </summary>
/// <remarks>Not this.</remarks>
[Serializable]
public class Reader
{
    /// <summary>Reads <paramref name="n"/> bytes.</summary>
    /// <param name="n">Count.</param>
    /// <returns>The bytes.</returns>
    public byte[] Read(int n) => null;

    /// <inheritdoc/>
    public override string ToString() => "";

    /// Plain words without an element.
    public int Plain;

    /** <summary>In a block
     * of two lines.</summary> */
    public int Block { get; }

    // Not documentation.
    public int Two;

    //// Not documentation.
    public int Four;

    /// <summary>Old.</summary>
    [Obsolete("use Read")]
    public void Load() { }

    #region More
    /// <summary>In a region.</summary>
    #endregion
    public void InRegion() { }
}
