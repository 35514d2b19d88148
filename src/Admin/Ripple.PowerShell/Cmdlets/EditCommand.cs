using System.Management.Automation;
using Ripple.Admin.Editing;
using Ripple.Admin.Planning;
using Ripple.PowerShell.Completion;
using Ripple.PowerShell.Output;
using Ripple.PowerShell.Pipeline;
using Ripple.Trust;

namespace Ripple.PowerShell.Cmdlets;

/// <summary>Shared by setting and removing one place of a JSON document. Each item of a pipeline is a release of its own.</summary>
public abstract class EditCommand : ReleaseCommand
{
    /// <summary>Only the module's cmdlets derive from it.</summary>
    private protected EditCommand()
    {
    }

    /// <summary>The application.</summary>
    [Parameter(Mandatory = true, Position = 0, ValueFromPipelineByPropertyName = true)]
    [ArgumentCompleter(typeof(ApplicationCompleter))]
    [ValidateNotNullOrEmpty]
    public string Application { get; set; } = string.Empty;

    /// <summary>The key, which ends with <c>.json</c>.</summary>
    [Parameter(Mandatory = true, Position = 1, ValueFromPipelineByPropertyName = true)]
    [ArgumentCompleter(typeof(KeyCompleter))]
    [ValidateNotNullOrEmpty]
    public string Key { get; set; } = string.Empty;

    /// <summary>The place, as a JSON pointer; empty for the whole document.</summary>
    [Parameter(Mandatory = true, Position = 2, ValueFromPipelineByPropertyName = true)]
    [AllowEmptyString]
    public string Pointer { get; set; } = string.Empty;

    /// <summary>Plans the edit, asks for confirmation with what is there and what will be, and makes it.</summary>
    /// <param name="verb">The action, for the confirmation.</param>
    /// <param name="read">Reads the edit from the parameters; a <see cref="FormatException"/> is an error record.</param>
    private protected void Edit(string verb, Func<JsonEdit> read)
    {
        (string application, string key) = (Application, Key);
        var options = new KeyEditOptions { Note = Note };
        JsonEdit? edit = null;
        KeyEditPlan? plan = null;
        bool isPlanned = Work(key, async (_, cancellationToken) =>
        {
            edit = EditText.Read(read);
            plan = await Client.PlanEditKeyAsync(application, key, edit, options, cancellationToken).ConfigureAwait(false);
        });
        if (!isPlanned)
        {
            return;
        }

        if (plan!.Plan is not { } reaches)
        {
            WriteVerbose($"{EditText.Place(edit!)} of {key} is {EditText.Short(plan.Outcome.After)} already; nothing is published.");
            Write(new RippleEdit(application, key, edit!, plan.Release, plan.Outcome.Before, plan.Outcome.After));
            return;
        }

        string text = $"{verb} {EditText.Place(edit!)} of {ShownText.Line(key)} of {application} on {Session.Place}, expecting release "
            + $"{reaches.BaseRelease}: {EditText.Difference(plan.Outcome)}; reaches {PlanText.Nodes(reaches.Nodes)}";
        if (!ShouldProcess(text, $"{text}?", "Ripple"))
        {
            return;
        }

        // What another made of the place since it was shown is a conflict.
        KeyEditOptions shown = options with { Since = plan.Release };
        if (Ask(key, c => Client.EditKeyAsync(application, key, edit!, shown, c)) is { } result)
        {
            Write(new RippleEdit(application, key, edit!, result));
            if (result.Published is { } published)
            {
                AwaitRelease(published);
            }
        }
    }

    private void Write(RippleEdit edit)
    {
        if (PassThru.IsPresent)
        {
            WriteObject(edit);
        }
    }
}
