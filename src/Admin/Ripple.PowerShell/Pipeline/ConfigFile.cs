using Ripple.Admin.Contracts;

namespace Ripple.PowerShell.Pipeline;

/// <summary>Files that hold values.</summary>
internal static class ConfigFile
{
    /// <summary>Reads a file byte for byte.</summary>
    /// <exception cref="CmdletException">It cannot be read, or is too large for a value.</exception>
    public static byte[] Read(string path)
    {
        try
        {
            if (Directory.Exists(path))
            {
                throw new CmdletException(
                    ErrorCodes.Unreadable, $"'{path}' is a folder. Give files, such as those of Get-ChildItem -File.");
            }

            long lengthBytes = new FileInfo(path).Length;
            if (lengthBytes > AdminLimits.ValueBytesMax)
            {
                throw new CmdletException(
                    ProblemCodes.TooLarge,
                    $"'{path}' has {lengthBytes} bytes; a value has at most {AdminLimits.ValueBytesMax}. Split it over several keys.");
            }

            return File.ReadAllBytes(path);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new CmdletException(ErrorCodes.Unreadable, $"'{path}' cannot be read: {e.Message}", e);
        }
    }
}
