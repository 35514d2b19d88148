using System.Management.Automation;
using Ripple.Admin.Contracts;
using Ripple.PowerShell.Completion;
using Ripple.PowerShell.Output;
using Ripple.PowerShell.Pipeline;
using Ripple.Trust;

namespace Ripple.PowerShell.Cmdlets;

/// <summary>Sets a predicate with a name, a level, an area or an external of an application.</summary>
[Cmdlet(VerbsCommon.Set, "RippleDefinition", SupportsShouldProcess = true, ConfirmImpact = ConfirmImpact.Medium)]
[OutputType(typeof(RipplePublished))]
public sealed class SetRippleDefinitionCommand : ConnectedCmdlet
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

    /// <summary>The predicate, what a level or an external is, or the zones of an area with commas between.</summary>
    [Parameter(Mandatory = true, Position = 3, ValueFromPipelineByPropertyName = true)]
    [AllowEmptyString]
    public string Text { get; set; } = string.Empty;

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
        (string application, string name, string text) = (Application, Name, Text);
        string what = $"{Kind.ToString().ToLowerInvariant()} {ShownText.Line(name)} of {ShownText.Line(application)}";
        string question = $"Set the {what} to '{ShownText.Line(text)}'";
        if (Work(name, (_, _) => Task.FromResult(Session))
            && Confirm(question)
            && Ask(name, c => SetAsync(application, name, text, c)) is { } published
            && PassThru.IsPresent)
        {
            WriteObject(new RipplePublished(published));
        }
    }

    private Task<PublishResult> SetAsync(string application, string name, string text, CancellationToken cancellationToken) => Kind switch
    {
        DefinitionKind.Predicate => Client.SetPredicateAsync(application, name, text, Note, cancellationToken),
        DefinitionKind.Level => Client.SetLevelAsync(application, name, text, Note, cancellationToken),
        DefinitionKind.Area => Client.SetAreaAsync(application, name, text.Split(','), Note, cancellationToken),
        _ => Client.SetExternalAsync(application, name, text, Note, cancellationToken),
    };
}
