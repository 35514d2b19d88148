using System.Management.Automation;
using Ripple.Admin.Contracts;
using Ripple.PowerShell.Completion;
using Ripple.PowerShell.Output;
using Ripple.PowerShell.Pipeline;

namespace Ripple.PowerShell.Cmdlets;

/// <summary>Compares the states of an application at two releases, key by key.</summary>
[Cmdlet(VerbsData.Compare, "RippleRelease")]
[OutputType(typeof(RippleDifference))]
public sealed class CompareRippleReleaseCommand : ConnectedCmdlet
{
    /// <summary>The application.</summary>
    [Parameter(Mandatory = true, Position = 0, ValueFromPipelineByPropertyName = true)]
    [ArgumentCompleter(typeof(ApplicationCompleter))]
    [ValidateNotNullOrEmpty]
    public string Application { get; set; } = string.Empty;

    /// <summary>The earlier release; 0 is the empty state.</summary>
    [Parameter(Mandatory = true, Position = 1)]
    public ulong From { get; set; }

    /// <summary>The later release; the newest if not given.</summary>
    [Parameter(Position = 2)]
    public ulong? To { get; set; }

    /// <summary>Leaves the values out.</summary>
    [Parameter]
    public SwitchParameter KeyOnly { get; set; }

    /// <summary>Processes one item of the pipeline.</summary>
    protected override void ProcessRecord()
    {
        (string application, ulong from, ulong? to) = (Application, From, To);
        Work(application, async (pump, cancellationToken) =>
        {
            Diff diff = await Client.DiffAsync(application, from, to, cancellationToken).ConfigureAwait(false);
            foreach (KeyChangeInfo change in diff.Changes)
            {
                object? before = change.Kind == KeyChangeKind.Added
                    ? null
                    : await ReadAsync(diff, change.Key, diff.From, cancellationToken).ConfigureAwait(false);
                object? after = change.Kind == KeyChangeKind.Removed
                    ? null
                    : await ReadAsync(diff, change.Key, diff.To, cancellationToken).ConfigureAwait(false);
                pump.Post(() => WriteObject(new RippleDifference(diff, change, before, after)));
            }
        });
    }

    private async Task<object?> ReadAsync(Diff diff, string key, ulong release, CancellationToken cancellationToken) => KeyOnly.IsPresent
        ? null
        : ValueText.Of((await Client.ReadKeyAsync(diff.Application, key, release, cancellationToken).ConfigureAwait(false)).Bytes);
}
