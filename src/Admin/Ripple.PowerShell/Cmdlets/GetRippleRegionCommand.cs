using System.Management.Automation;
using Ripple.Admin.Contracts;
using Ripple.PowerShell.Completion;
using Ripple.PowerShell.Output;
using Ripple.PowerShell.Pipeline;

namespace Ripple.PowerShell.Cmdlets;

/// <summary>Reads the regions of a host; one that is named with the parts of its view.</summary>
[Cmdlet(VerbsCommon.Get, "RippleRegion")]
[OutputType(typeof(RippleRegion))]
public sealed class GetRippleRegionCommand : ConnectedCmdlet
{
    /// <summary>The names of the regions, or their first digits; all if not given.</summary>
    [Parameter(Position = 0, ValueFromPipelineByPropertyName = true)]
    [ArgumentCompleter(typeof(RegionCompleter))]
    [SupportsWildcards]
    public string[]? Name { get; set; }

    /// <summary>Processes one item of the pipeline.</summary>
    protected override void ProcessRecord()
    {
        if (Pattern(Name) is not { } names)
        {
            return;
        }

        foreach (string name in names.Literals)
        {
            if (Ask(name, c => Client.GetRegionAsync(name, c)) is { } region)
            {
                WriteObject(new RippleRegion(region));
            }
        }

        if (names.HasWildcards)
        {
            Work(Name, (pump, cancellationToken) => ListAsync(pump, names, cancellationToken));
        }
    }

    private async Task ListAsync(PipelinePump pump, NamePattern names, CancellationToken cancellationToken)
    {
        await foreach (RegionInfo region in Client.ListRegionsAsync(cancellationToken).ConfigureAwait(false))
        {
            if (!names.Literals.Contains(region.Name, StringComparer.Ordinal) && names.IsMatch(region.Name))
            {
                pump.Post(() => WriteObject(new RippleRegion(region)));
            }
        }
    }
}
