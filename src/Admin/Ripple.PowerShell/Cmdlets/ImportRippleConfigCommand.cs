using System.Management.Automation;
using Ripple.Admin.Contracts;
using Ripple.PowerShell.Completion;
using Ripple.PowerShell.Output;
using Ripple.PowerShell.Pipeline;

namespace Ripple.PowerShell.Cmdlets;

/// <summary>Publishes a file that was exported as one release.</summary>
[Cmdlet(VerbsData.Import, "RippleConfig", SupportsShouldProcess = true, ConfirmImpact = ConfirmImpact.Medium)]
[OutputType(typeof(RipplePublished))]
public sealed class ImportRippleConfigCommand : ChangeCommand
{
    /// <summary>The application to import into.</summary>
    [Parameter(Mandatory = true, Position = 0)]
    [ArgumentCompleter(typeof(ApplicationCompleter))]
    [ValidateNotNullOrEmpty]
    public string Application { get; set; } = string.Empty;

    /// <summary>The file.</summary>
    [Parameter(Mandatory = true, Position = 1)]
    [ValidateNotNullOrEmpty]
    public string Path { get; set; } = string.Empty;

    /// <summary>Removes keys that the file does not have; otherwise they stay.</summary>
    [Parameter]
    public SwitchParameter Replace { get; set; }

    /// <summary>Publishes the file.</summary>
    protected override void ProcessRecord()
    {
        (string application, string path) = (Application, GetUnresolvedProviderPathFromPSPath(Path));
        if (!TryReadExpected(out ReleaseNumber? expected)
            || Ask(path, c => ArchiveFile.ReadAsync(path, c)) is not { } archive)
        {
            return;
        }

        PublishRequest? request = null;
        Change(
            "Import into",
            application,
            expected,
            async c =>
            {
                // Read anew for each plan: which keys the file does not have depends on the newest release.
                request = await archive.PlanImportAsync(
                    Client, application, Replace.IsPresent, Note.Length > 0 ? Note : null, c).ConfigureAwait(false);
                return await Client.PlanPublishAsync(application, request, expected, c).ConfigureAwait(false);
            },
            (shown, c) => Client.PublishAsync(application, request!, shown, null, c));
    }
}
