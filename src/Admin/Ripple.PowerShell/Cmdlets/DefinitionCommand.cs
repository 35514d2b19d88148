using System.Management.Automation;
using Ripple.Admin.Contracts;
using Ripple.PowerShell.Completion;
using Ripple.PowerShell.Output;
using Ripple.PowerShell.Pipeline;
using Ripple.Trust;

namespace Ripple.PowerShell.Cmdlets;

/// <summary>Shared by what changes a definition: which one, the confirmation, and the release that it makes.</summary>
public abstract class DefinitionCommand : ConnectedCmdlet
{
    /// <summary>Only the module's cmdlets derive from it.</summary>
    private protected DefinitionCommand()
    {
    }

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

    /// <summary>The definition in words, as it is shown.</summary>
    private protected string Shown => $"{Kind.ToString().ToLowerInvariant()} {ShownText.Line(Name)} of {ShownText.Line(Application)}";

    /// <summary>Asks, and changes it.</summary>
    /// <param name="question">The change, without a full stop.</param>
    /// <param name="change">Makes the release.</param>
    private protected void Change(string question, Func<CancellationToken, Task<PublishResult>> change)
    {
        if (Work(Name, (_, _) => Task.FromResult(Session))
            && Confirm(question)
            && Ask(Name, change) is { } published
            && PassThru.IsPresent)
        {
            WriteObject(new RipplePublished(published));
        }
    }
}
