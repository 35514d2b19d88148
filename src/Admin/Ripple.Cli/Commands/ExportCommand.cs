using System.CommandLine;
using Ripple.Admin.Archives;
using Ripple.Cli.Output;

namespace Ripple.Cli.Commands;

/// <summary><c>export</c>.</summary>
internal static class ExportCommand
{
    public static Command Make(CliScope scope, NameArguments names)
    {
        Argument<string> application = names.Application();
        var file = new Option<string>("--out")
        {
            Description = "The file to write; an earlier one is replaced when all is read",
            HelpName = "FILE",
            Required = true,
        };
        var release = new Option<ulong?>("--release", "-r")
        {
            CustomParser = Parsed.ReleaseOrNull,
            Description = "At this release. Default: the newest",
            HelpName = "N",
        };
        var command = new Command(
            "export", "Writes all keys of an application, byte for byte, into one file that 'import' reads: a zip with a manifest.json.")
        {
            application,
            file,
            release,
        };
        return scope.Run(command, async context =>
        {
            string path = Path.GetFullPath(context.Result.GetRequiredValue(file));
            string temporary = $"{path}.{Guid.NewGuid():N}.new";
            ArchiveManifest manifest;
            try
            {
                // Configuration may be private, and no other readers were specified.
                var options = new FileStreamOptions { Mode = FileMode.CreateNew, Access = FileAccess.Write, Share = FileShare.None };
                if (!OperatingSystem.IsWindows())
                {
                    options.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite;
                }

                var stream = new FileStream(temporary, options);
                await using (stream.ConfigureAwait(false))
                {
                    manifest = await Archive.ExportAsync(
                        context.Client, context.Get(application), context.Get(release), stream, context.Cancel).ConfigureAwait(false);
                }

                File.Move(temporary, path, overwrite: true);
            }
            catch
            {
                File.Delete(temporary);
                throw;
            }

            context.Write(manifest, CliJson.Default.ArchiveManifest, m => context.Line(
                $"{m.Application} release {m.Release}: {m.Keys.Count} {(m.Keys.Count == 1 ? "key" : "keys")} written to {path}"));
            return ExitCodes.Done;
        });
    }
}
