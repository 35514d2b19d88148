using System.Management.Automation;
using Ripple.Admin.Archives;
using Ripple.PowerShell.Completion;
using Ripple.PowerShell.Output;
using Ripple.PowerShell.Pipeline;

namespace Ripple.PowerShell.Cmdlets;

/// <summary>Writes all keys of an application into one file, byte for byte.</summary>
[Cmdlet(VerbsData.Export, "RippleConfig", SupportsShouldProcess = true, ConfirmImpact = ConfirmImpact.Medium)]
[OutputType(typeof(RippleExport))]
public sealed class ExportRippleConfigCommand : ConnectedCmdlet
{
    /// <summary>The application.</summary>
    [Parameter(Mandatory = true, Position = 0)]
    [ArgumentCompleter(typeof(ApplicationCompleter))]
    [ValidateNotNullOrEmpty]
    public string Application { get; set; } = string.Empty;

    /// <summary>The file to write.</summary>
    [Parameter(Mandatory = true, Position = 1)]
    [ValidateNotNullOrEmpty]
    public string Path { get; set; } = string.Empty;

    /// <summary>The release; the newest if not given.</summary>
    [Parameter]
    public ulong? Release { get; set; }

    /// <summary>Leaves a file that exists, and fails.</summary>
    [Parameter]
    public SwitchParameter NoClobber { get; set; }

    /// <summary>Writes the file.</summary>
    protected override void ProcessRecord()
    {
        string path = GetUnresolvedProviderPathFromPSPath(Path);
        if (!Work(path, (_, _) => Task.FromResult(Session)) || !Confirm($"Write the keys of {Application} to {path}"))
        {
            return;
        }

        ArchiveManifest? manifest = null;
        if (Work(path, async (_, c) => manifest = await ArchiveFile.ExportAsync(
            Client, Application, Release, path, !NoClobber.IsPresent, c).ConfigureAwait(false)))
        {
            WriteObject(new RippleExport(manifest!, path));
        }
    }
}
