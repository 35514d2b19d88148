using System.Management.Automation;
using Ripple.Admin.Contracts;
using Ripple.PowerShell.Output;
using Ripple.PowerShell.Pipeline;

namespace Ripple.PowerShell.Cmdlets;

/// <summary>Takes a predicate's name, an area or an external of an application away. A level is never taken away.</summary>
[Cmdlet(VerbsCommon.Remove, "RippleDefinition", SupportsShouldProcess = true, ConfirmImpact = ConfirmImpact.High)]
[OutputType(typeof(RipplePublished))]
public sealed class RemoveRippleDefinitionCommand : DefinitionCommand
{
    /// <summary>Processes one item of the pipeline.</summary>
    protected override void ProcessRecord()
    {
        (string application, string name) = (Application, Name);
        Change($"Remove the {Shown}", c => RemoveAsync(application, name, c));
    }

    private Task<PublishResult> RemoveAsync(string application, string name, CancellationToken cancellationToken) => Kind switch
    {
        DefinitionKind.Predicate => Client.RemovePredicateAsync(application, name, Note, cancellationToken),
        DefinitionKind.Area => Client.RemoveAreaAsync(application, name, Note, cancellationToken),
        DefinitionKind.External => Client.RemoveExternalAsync(application, name, Note, cancellationToken),
        _ => throw new CmdletException(
            ProblemCodes.InvalidRequest,
            $"The level '{name}' cannot be taken away: predicates may name it, and nodes may have reported it."),
    };
}
