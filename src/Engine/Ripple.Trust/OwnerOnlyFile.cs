using System.Security.Cryptography;

namespace Ripple.Trust;

/// <summary>Files that contain secrets. They are readable only by their owner from creation on, and written atomically.</summary>
internal static class OwnerOnlyFile
{
    /// <summary>
    /// Writes a temporary file next to the path and renames it over the path. On Windows the folder's access list decides who can read it.
    /// </summary>
    public static void Write(string path, ReadOnlySpan<byte> content)
    {
        string full = Path.GetFullPath(path);
        string beside = $"{full}.{Convert.ToHexStringLower(RandomNumberGenerator.GetBytes(4))}.new";
        var options = new FileStreamOptions { Mode = FileMode.CreateNew, Access = FileAccess.Write, Share = FileShare.None };
        if (!OperatingSystem.IsWindows())
        {
            options.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite;
        }

        try
        {
            using (var file = new FileStream(beside, options))
            {
                file.Write(content);
                file.Flush(flushToDisk: true);
            }

            File.Move(beside, full, overwrite: true);
        }
        catch
        {
            File.Delete(beside);
            throw;
        }
    }
}
