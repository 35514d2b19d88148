using System.Globalization;
using System.Text;

namespace Ripple.Client.Snapshots;

/// <summary>
/// When a host last confirmed what is beside it: one line, in UTC. It says how old a snapshot is, and nothing else rests on it.
/// </summary>
internal static class ConfirmationFile
{
    private const string Name = "confirmed";
    private const string Format = "yyyy-MM-dd'T'HH:mm:ss'Z'";

    /// <summary>Writes it; a failure is nothing but an older time.</summary>
    public static void Write(string directory, DateTimeOffset at)
    {
        try
        {
            string path = Path.Combine(directory, Name);
            File.WriteAllText(path + ".new", at.ToUniversalTime().ToString(Format, CultureInfo.InvariantCulture), Encoding.ASCII);
            File.Move(path + ".new", path, overwrite: true);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // The snapshot's own write says that the disk failed.
        }
    }

    /// <summary>Reads it; null when it is not there, or is not one.</summary>
    public static DateTimeOffset? TryRead(string directory)
    {
        try
        {
            string path = Path.Combine(directory, Name);
            return new FileInfo(path) is { Exists: true, Length: < 64 }
                && DateTimeOffset.TryParseExact(
                    File.ReadAllText(path),
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
