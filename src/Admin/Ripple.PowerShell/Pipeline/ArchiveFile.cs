using Ripple.Admin;
using Ripple.Admin.Archives;

namespace Ripple.PowerShell.Pipeline;

/// <summary>Archives as files.</summary>
internal static class ArchiveFile
{
    /// <summary>Writes an archive that only its owner can read; an earlier file is replaced when all is read, and stays if not.</summary>
    /// <param name="client">The cluster.</param>
    /// <param name="application">The application.</param>
    /// <param name="release">The release; null for the newest.</param>
    /// <param name="path">The file.</param>
    /// <param name="replaces">False to fail if the file exists.</param>
    /// <param name="cancellationToken">Cancels the export; nothing is left of it.</param>
    /// <exception cref="CmdletException">The file exists or cannot be written.</exception>
    public static async Task<ArchiveManifest> ExportAsync(
        RippleAdminClient client, string application, ulong? release, string path, bool replaces, CancellationToken cancellationToken)
    {
        string temporary = $"{path}.{Guid.NewGuid():N}.new";
        try
        {
            // Configuration may be private, and no other readers were named.
            var options = new FileStreamOptions { Mode = FileMode.CreateNew, Access = FileAccess.Write, Share = FileShare.None };
            if (!OperatingSystem.IsWindows())
            {
                options.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite;
            }

            ArchiveManifest manifest;
            var stream = new FileStream(temporary, options);
            await using (stream.ConfigureAwait(false))
            {
                manifest = await Archive.ExportAsync(client, application, release, stream, cancellationToken).ConfigureAwait(false);
            }

            File.Move(temporary, path, replaces);
            return manifest;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            Delete(temporary);
            throw new CmdletException(
                ErrorCodes.Unwritable,
                $"'{path}' cannot be written: {e.Message} Give a path that you may write, or leave -NoClobber out.",
                e);
        }
        catch
        {
            Delete(temporary);
            throw;
        }
    }

    /// <summary>Reads an archive.</summary>
    /// <exception cref="CmdletException">The file cannot be read, or is no archive.</exception>
    public static async Task<Archive> ReadAsync(string path, CancellationToken cancellationToken)
    {
        try
        {
            FileStream stream = File.OpenRead(path);
            await using (stream.ConfigureAwait(false))
            {
                return await Archive.ReadAsync(stream, cancellationToken).ConfigureAwait(false);
            }
        }
        catch (RippleAdminException e)
        {
            throw new CmdletException(ErrorCodes.InvalidArchive, $"'{path}' cannot be imported. {e.Message}", e);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new CmdletException(ErrorCodes.Unreadable, $"'{path}' cannot be read: {e.Message}", e);
        }
    }

    private static void Delete(string path)
    {
        try
        {
            File.Delete(path);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // The failure that is told is the one before.
        }
    }
}
