using System.Management.Automation;
using Ripple.Admin.Contracts;
using Ripple.PowerShell.Output;
using Ripple.Trust;

namespace Ripple.PowerShell.Cmdlets;

/// <summary>Sets a predicate with a name, a level, an area or an external of an application.</summary>
[Cmdlet(VerbsCommon.Set, "RippleDefinition", SupportsShouldProcess = true, ConfirmImpact = ConfirmImpact.Medium)]
[OutputType(typeof(RipplePublished))]
public sealed class SetRippleDefinitionCommand : DefinitionCommand
{
    /// <summary>The predicate, what a level or an external is, or the zones of an area with commas between.</summary>
    [Parameter(Mandatory = true, Position = 3, ValueFromPipelineByPropertyName = true)]
    [AllowEmptyString]
    public string Text { get; set; } = string.Empty;

    /// <summary>Processes one item of the pipeline.</summary>
    protected override void ProcessRecord()
    {
        (string application, string name, string text) = (Application, Name, Text);
        Change($"Set the {Shown} to '{ShownText.Line(text)}'", c => SetAsync(application, name, text, c));
    }

    private Task<PublishResult> SetAsync(string application, string name, string text, CancellationToken cancellationToken) => Kind switch
    {
        DefinitionKind.Predicate => Client.SetPredicateAsync(application, name, text, Note, cancellationToken),
        DefinitionKind.Level => Client.SetLevelAsync(application, name, text, Note, cancellationToken),
        DefinitionKind.Area => Client.SetAreaAsync(application, name, text.Split(','), Note, cancellationToken),
        _ => Client.SetExternalAsync(application, name, text, Note, cancellationToken),
    };
}
