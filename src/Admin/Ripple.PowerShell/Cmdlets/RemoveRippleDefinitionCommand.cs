using System.Management.Automation;
using Ripple.Admin.Contracts;
using Ripple.PowerShell.Completion;
using Ripple.PowerShell.Output;
using Ripple.PowerShell.Pipeline;
using Ripple.Trust;

namespace Ripple.PowerShell.Cmdlets;

/// <summary>Takes a predicate's name, an area or an external of an application away. A level is never taken away.</summary>
[Cmdlet(VerbsCommon.Remove, "RippleDefinition", SupportsShouldProcess = true, ConfirmImpact = ConfirmImpact.High)]
[OutputType(typeof(RipplePublished))]
public sealed class RemoveRippleDefinitionCommand : ConnectedCmdlet
{
    /// <summary>The application.</summary>
    [Parameter(Mandatory = true, Position = 0, ValueFromPipelineByPropertyName = true)]
    [ArgumentCompleter(typeof(ApplicationCompleter))]
    [ValidateNotNullOrEmpty]
    public string Application { get; set; } = string.Empty;

    /// <summary>What it defines.</summary>
    [Parameter(Mandatory = true, Position = 1, ValueFromPipelineByPropertyName = true)]
    public DefinitionKind Kind { get; set; }

    /// <summary>Its name.</summary>
    [Parameter(Mandatory = true, Position = 2, ValueFromPipelineByPropertyName = true)]
    [ValidateNotNullOrEmpty]
    public string Name { get; set; } = string.Empty;

    /// <summary>What changed and why.</summary>
    [Parameter]
    [AllowEmptyString]
    public string Note { get; set; } = string.Empty;

    /// <summary>Writes the release of the definitions.</summary>
    [Parameter]
    public SwitchParameter PassThru { get; set; }

    /// <summary>Processes one item of the pipeline.</summary>
    protected override void ProcessRecord()
    {
        (string application, string name) = (Application, Name);
        string question = $"Remove the {Kind.ToString().ToLowerInvariant()} {ShownText.Line(name)} of {ShownText.Line(application)}";
        if (Work(name, (_, _) => Task.FromResult(Session))
            && Confirm(question)
            && Ask(name, c => RemoveAsync(application, name, c)) is { } published
            && PassThru.IsPresent)
        {
            WriteObject(new RipplePublished(published));
        }
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
