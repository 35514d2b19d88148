using System.Text;

namespace Ripple.Admin.Editing;

/// <summary>Replaces a piece of a document.</summary>
/// <param name="Start">The first byte of what goes.</param>
/// <param name="End">The byte behind it; <paramref name="Start"/> where nothing goes.</param>
/// <param name="Text">What comes there; may be empty.</param>
internal readonly record struct JsonSplice(int Start, int End, string Text)
{
    /// <summary>The document with its pieces replaced.</summary>
    /// <param name="document">The document.</param>
    /// <param name="splices">What is replaced, in the order of the document; pieces do not overlap.</param>
    public static byte[] Apply(ReadOnlySpan<byte> document, IReadOnlyList<JsonSplice> splices)
    {
        int length = document.Length + splices.Sum(s => Encoding.UTF8.GetByteCount(s.Text) - (s.End - s.Start));
        byte[] result = new byte[length];
        int from = 0;
        int to = 0;
        foreach (JsonSplice splice in splices)
        {
            document[from..splice.Start].CopyTo(result.AsSpan(to));
            to += splice.Start - from;
            to += Encoding.UTF8.GetBytes(splice.Text, result.AsSpan(to));
            from = splice.End;
        }

        document[from..].CopyTo(result.AsSpan(to));
        return result;
    }
}
