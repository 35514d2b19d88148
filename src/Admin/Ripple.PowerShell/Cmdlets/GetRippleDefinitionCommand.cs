using System.Management.Automation;
using Ripple.PowerShell.Completion;
using Ripple.PowerShell.Output;
using Ripple.PowerShell.Pipeline;

namespace Ripple.PowerShell.Cmdlets;

/// <summary>Reads what applications say about themselves: predicates, levels, areas and externals.</summary>
[Cmdlet(VerbsCommon.Get, "RippleDefinition")]
[OutputType(typeof(RippleDefinition))]
public sealed class GetRippleDefinitionCommand : ConnectedCmdlet
{
    /// <summary>The application.</summary>
    [Parameter(Mandatory = true, Position = 0, ValueFromPipelineByPropertyName = true)]
    [ArgumentCompleter(typeof(ApplicationCompleter))]
    [SupportsWildcards]
    [ValidateNotNullOrEmpty]
    public string[] Application { get; set; } = [];

    /// <summary>The names; all if not given.</summary>
    [Parameter(Position = 1)]
    [SupportsWildcards]
    public string[]? Name { get; set; }

    /// <summary>What they define; all kinds if not given.</summary>
    [Parameter]
    public DefinitionKind? Kind { get; set; }

    /// <summary>Processes one item of the pipeline.</summary>
    protected override void ProcessRecord()
    {
        if (Pattern(Name) is not { } names)
        {
            return;
        }

        foreach (string application in Applications(Application))
        {
            if (Ask(application, c => Client.GetDefinitionsAsync(application, c)) is not { } all)
            {
                continue;
            }

            foreach (RippleDefinition one in RippleDefinition.Of(all).Where(d => names.IsMatch(d.Name) && (Kind is null || d.Kind == Kind)))
            {
                WriteObject(one);
            }
        }
    }
}
