using System.Management.Automation;
using Ripple.Admin;
using Ripple.Admin.Contracts;
using Ripple.PowerShell.Completion;
using Ripple.PowerShell.Output;
using Ripple.PowerShell.Pipeline;

namespace Ripple.PowerShell.Cmdlets;

/// <summary>Reads keys and their values, all from the same release of an application.</summary>
[Cmdlet(VerbsCommon.Get, "RippleConfig")]
[OutputType(typeof(RippleConfigValue))]
public sealed class GetRippleConfigCommand : ConnectedCmdlet
{
    /// <summary>The applications.</summary>
    [Parameter(Mandatory = true, Position = 0, ValueFromPipelineByPropertyName = true)]
    [ArgumentCompleter(typeof(ApplicationCompleter))]
    [SupportsWildcards]
    [ValidateNotNullOrEmpty]
    public string[] Application { get; set; } = [];

    /// <summary>The keys; all if not given.</summary>
    [Parameter(Position = 1, ValueFromPipelineByPropertyName = true)]
    [ArgumentCompleter(typeof(KeyPatternCompleter))]
    [SupportsWildcards]
    public string[]? Key { get; set; }

    /// <summary>The release; the newest if not given.</summary>
    [Parameter(ValueFromPipelineByPropertyName = true)]
    public ulong? Release { get; set; }

    /// <summary>Processes one item of the pipeline.</summary>
    protected override void ProcessRecord()
    {
        if (Pattern(Key) is not { } keys)
        {
            return;
        }

        ulong? release = Release;
        foreach (string application in Applications(Application))
        {
            Work(application, (pump, cancellationToken) => ReadAsync(pump, application, keys, release, cancellationToken));
        }
    }

    private async Task ReadAsync(
        PipelinePump pump, string application, NamePattern keys, ulong? release, CancellationToken cancellationToken)
    {
        RippleAdminClient client = Client;
        // Read all keys from one release, so that a concurrent publish cannot affect only some of them.
        ulong at = release ?? (await client.GetApplicationAsync(application, cancellationToken).ConfigureAwait(false)).Release;
        var missing = new HashSet<string>(keys.Literals, StringComparer.Ordinal);
        string? prefix = keys is { HasWildcards: false, Literals.Count: 1 } ? keys.Literals[0] : null;
        await foreach (KeyInfo key in client.ListKeysAsync(application, at, prefix, cancellationToken).ConfigureAwait(false))
        {
            if (keys.IsMatch(key.Key))
            {
                missing.Remove(key.Key);
                var value = new RippleConfigValue(
                    application, key, await client.ReadKeyAsync(application, key.Key, at, cancellationToken).ConfigureAwait(false));
                pump.Post(() => WriteObject(value));
            }
        }

        foreach (string key in missing.Order(StringComparer.Ordinal))
        {
            var failure = new CmdletException(
                ProblemCodes.NotFound,
                $"Release {at} of '{application}' has no key '{key}'. See Get-RippleConfig {application} for those it has; "
                    + $"names are compared with case.");
            pump.Post(() => WriteError(ErrorCodes.Record(failure, key)));
        }
    }
}
