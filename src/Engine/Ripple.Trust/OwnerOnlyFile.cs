using System.Security.Cryptography;

namespace Ripple.Trust;

/// <summary>Files with secrets in them: readable by their owner only from the moment they exist, and whole or not there at all.</summary>
internal static class OwnerOnlyFile
{
    /// <summary>Writes beside the path and renames over it. On Windows the folder's access list decides who reads.</summary>
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
