using System.Management.Automation;
using Ripple.Admin;
using Ripple.Admin.Contracts;
using Ripple.PowerShell.Completion;
using Ripple.PowerShell.Output;
using Ripple.PowerShell.Pipeline;

namespace Ripple.PowerShell.Cmdlets;

/// <summary>Reads the nodes of an application and their progress.</summary>
[Cmdlet(VerbsCommon.Get, "RippleNode")]
[OutputType(typeof(RippleNode))]
public sealed class GetRippleNodeCommand : ConnectedCmdlet
{
    /// <summary>The applications.</summary>
    [Parameter(Mandatory = true, Position = 0, ValueFromPipelineByPropertyName = true)]
    [ArgumentCompleter(typeof(ApplicationCompleter))]
    [SupportsWildcards]
    [ValidateNotNullOrEmpty]
    public string[] Application { get; set; } = [];

    /// <summary>The names of the nodes; all if not given.</summary>
    [Parameter(Position = 1)]
    [ArgumentCompleter(typeof(NodeCompleter))]
    [SupportsWildcards]
    public string[]? Name { get; set; }

    /// <summary>Only nodes that have not applied this release yet.</summary>
    [Parameter(ValueFromPipelineByPropertyName = true)]
    [Alias("Release")]
    public ulong? BehindRelease { get; set; }

    /// <summary>Only nodes in this state; present and silent ones if not given.</summary>
    [Parameter]
    [ValidateSet("Present", "Silent", "Left", "Failed")]
    public string? State { get; set; }

    /// <summary>Includes nodes that left or failed.</summary>
    [Parameter]
    public SwitchParameter IncludeGone { get; set; }

    /// <summary>Processes one item of the pipeline.</summary>
    protected override void ProcessRecord()
    {
        if (Pattern(Name) is not { } names)
        {
            return;
        }

        var query = new NodeQuery
        {
            BehindRelease = BehindRelease,
            State = State is null ? null : Enum.Parse<NodeState>(State, ignoreCase: true),
            IncludesGone = IncludeGone.IsPresent,
        };
        foreach (string application in Applications(Application))
        {
            Work(application, (pump, cancellationToken) => ListAsync(pump, application, names, query, cancellationToken));
        }
    }

    private async Task ListAsync(
        PipelinePump pump, string application, NamePattern names, NodeQuery query, CancellationToken cancellationToken)
    {
        var missing = new HashSet<string>(names.Literals, StringComparer.Ordinal);
        await foreach (NodeInfo node in Client.ListNodesAsync(application, query, cancellationToken).ConfigureAwait(false))
        {
            if (names.IsMatch(node.Name) || names.IsMatch(node.NodeId))
            {
                missing.Remove(node.Name);
                missing.Remove(node.NodeId);
                pump.Post(() => WriteObject(new RippleNode(application, node)));
            }
        }

        // With a filter, a node that is not listed is no failure: it merely does not match.
        if (query is { BehindRelease: null, State: null })
        {
            foreach (string name in missing.Order(StringComparer.Ordinal))
            {
                var failure = new CmdletException(
                    ProblemCodes.NotFound,
                    $"'{application}' has no node '{name}'{(query.IncludesGone ? string.Empty : " now")}. "
                        + $"See Get-RippleNode {application} -IncludeGone.");
                pump.Post(() => WriteError(ErrorCodes.Record(failure, name)));
            }
        }
    }
}
