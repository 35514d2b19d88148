using System.Security.Cryptography;
using System.Text;

namespace Ripple.Load.Push;

/// <summary>
/// A document that is edited from one publish to the next: lines of letters, of which each publish writes some anew, somewhere. What it
/// says of its publish, and its hash, change too. One thread at a time.
/// </summary>
/// <param name="bytes">Its size.</param>
/// <param name="lines">The lines that each publish writes anew.</param>
internal sealed class EditedValue(int bytes, int lines)
{
    private const int LineBytes = 40;
    private readonly byte[] _content = Letters(bytes);

    /// <summary>The value of the next publish.</summary>
    public byte[] Next(int publish)
    {
        for (int i = 0; i < lines; i++)
        {
            int line = RandomNumberGenerator.GetInt32(Math.Max(1, bytes / LineBytes)) * LineBytes;
            Letters(Math.Min(LineBytes - 1, bytes - line)).CopyTo(_content.AsSpan(line));
        }

        return LoadValue.Seal(publish, [.. _content]);
    }

    private static byte[] Letters(int count)
    {
        byte[] letters = Encoding.ASCII.GetBytes(RandomNumberGenerator.GetString("abcdefghijklmnopqrstuvwxyz", count));
        for (int i = LineBytes - 1; i < count; i += LineBytes)
        {
            letters[i] = (byte)'\n';
        }

        return letters;
    }
}
