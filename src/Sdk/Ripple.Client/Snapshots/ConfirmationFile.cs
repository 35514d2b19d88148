using System.Globalization;
using System.Text;

namespace Ripple.Client.Snapshots;

/// <summary>The time a host last confirmed the snapshot next to it: one line, in UTC. Used only to tell how old a snapshot is.</summary>
internal static class ConfirmationFile
{
    private const string Name = "confirmed";
    private const string Format = "yyyy-MM-dd'T'HH:mm:ss'Z'";

    /// <summary>Writes the time. A failure is ignored: the file then keeps an older time.</summary>
    public static void Write(ISnapshotFiles files, string directory, DateTimeOffset at)
    {
        try
        {
            string path = Path.Combine(directory, Name);
            files.WriteText(path + ".new", at.ToUniversalTime().ToString(Format, CultureInfo.InvariantCulture));
            files.Move(path + ".new", path);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // If the disk failed, writing the snapshot itself reports it.
        }
    }

    /// <summary>Reads the time; null if the file is missing or malformed.</summary>
    public static DateTimeOffset? TryRead(ISnapshotFiles files, string directory)
    {
        try
        {
            using Stream file = files.OpenRead(Path.Combine(directory, Name));
            using var text = new StreamReader(file, Encoding.ASCII);
            return file.Length < 64
                && DateTimeOffset.TryParseExact(
                    text.ReadToEnd(),
                    Format,
                    CultureInfo.InvariantCulture,
                    DateTimeStyles.AssumeUniversal | DateTimeStyles.AdjustToUniversal,
                    out DateTimeOffset at)
                ? at
                : null;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }
}
