using System.CommandLine;
using Ripple.Admin.Editing;
using Ripple.Cli.Output;

namespace Ripple.Cli.Commands;

/// <summary><c>set</c> and <c>unset</c>.</summary>
internal static class EditCommands
{
    private const string Keeps = "Comments, order and spaces of the rest stay. A release of another that comes between is no obstacle, "
        + "unless it changed the same place.";

    /// <summary>Longer values are cut on a line; JSON has them whole.</summary>
    private const int ShownCharsMax = 80;

    public static Command Set(CliScope scope, NameArguments names)
    {
        var place = new PlaceArguments(names);
        var value = new Argument<string>("VALUE")
        {
            Description = "The value as JSON: 5, true, '\"eu-1\"', '[1, 2]'; with --string a text",
        };
        var isText = new Option<bool>("--string") { Description = "VALUE is a text, without quotation marks" };
        var creates = new Option<bool>("--create") { Description = "Makes the objects on the way that are missing" };
        var command = new Command("set", $"Sets one place of a JSON document that is the value of a key. {Keeps}") { isText, creates };
        ChangeOptions change = place.AddTo(command);
        command.Arguments.Add(value);
        return scope.Run(command, context => RunAsync(context, place, change, () => context.Get(isText)
            ? JsonEdit.SetText(context.Get(place.Pointer), context.Get(value), context.Get(creates))
            : SetJson(context.Get(place.Pointer), context.Get(value), context.Get(creates))));
    }

    public static Command Unset(CliScope scope, NameArguments names)
    {
        var place = new PlaceArguments(names);
        var command = new Command(
            "unset", $"Removes one place of a JSON document that is the value of a key. What is not there is no error. {Keeps}");
        ChangeOptions change = place.AddTo(command);
        return scope.Run(command, context => RunAsync(context, place, change, () => JsonEdit.Unset(context.Get(place.Pointer))));
    }

    private static JsonEdit SetJson(string pointer, string value, bool creates)
    {
        // So that an error of the pointer is not taken for one of the value.
        _ = JsonEdit.SetText(pointer, string.Empty);
        try
        {
            return JsonEdit.Set(pointer, value, creates);
        }
        catch (FormatException e)
        {
            throw new CliException($"VALUE '{Short(value)}': {e.Message} With --string VALUE is taken as a text.");
        }
    }

    private static async Task<int> RunAsync(CliContext context, PlaceArguments place, ChangeOptions change, Func<JsonEdit> read)
    {
        JsonEdit edit = CliContext.Resolve(read);
        string application = context.Get(place.Application);
        string key = context.Get(place.Key);
        var options = new KeyEditOptions { Note = change.Note(context) ?? string.Empty };
        if (change.IsDryRun(context))
        {
            KeyEditPlan plan = await context.Client.PlanEditKeyAsync(
                application, key, edit, options, context.Cancel).ConfigureAwait(false);
            return plan.Plan is { } reaches
                ? await PlanView.ShowAsync(context, reaches, _ => Task.FromResult(plan.Outcome.Document)).ConfigureAwait(false)
                : TellUnchanged(context, edit, key, new KeyEditResult(plan.Release, null, 0, plan.Outcome.Before, plan.Outcome.After));
        }

        await change.CheckAsync(context, application).ConfigureAwait(false);
        KeyEditResult result = await context.Client.EditKeyAsync(application, key, edit, options, context.Cancel).ConfigureAwait(false);
        if (result.Published is not { } published)
        {
            return TellUnchanged(context, edit, key, result);
        }

        if (!context.IsJson)
        {
            string tries = result.Tries == 1 ? string.Empty : $" (tried {result.Tries} times: others published in between)";
            context.Line($"{Name(edit)} of {key}: {Short(result.Before)} -> {Short(result.After)}{tries}");
        }

        return await change.FinishAsync(context, published, Report(edit, result)).ConfigureAwait(false);
    }

    private static int TellUnchanged(CliContext context, JsonEdit edit, string key, KeyEditResult result)
    {
        context.Write(new PublishReport(null, null, Report(edit, result)), CliJson.Default.PublishReport, _ => context.Line(
            $"nothing changed: {Name(edit)} of {key} is {Short(result.After)} at release {result.Release.Release} already; "
                + "nothing is published"));
        return ExitCodes.Done;
    }

    private static EditReport Report(JsonEdit edit, KeyEditResult result) =>
        new(edit.Pointer, result.Release.Release, result.Tries, result.Before, result.After);

    private static string Name(JsonEdit edit) => edit.Pointer.Length == 0 ? "all" : edit.Pointer;

    private static string Short(string? json) => json is null ? "not there"
        : json.Length <= ShownCharsMax ? json
        : $"{json.AsSpan(0, char.IsHighSurrogate(json[ShownCharsMax - 1]) ? ShownCharsMax - 1 : ShownCharsMax)}...";

    /// <summary>What both commands take.</summary>
    private sealed class PlaceArguments
    {
        public PlaceArguments(NameArguments names)
        {
            Application = names.Application();
            Key = new Argument<string>("KEY") { Description = "The key, which ends with .json" };
            Key.CompletionSources.Add(names.KeysOf(Application));
        }

        public Argument<string> Application { get; }

        public Argument<string> Key { get; }

        public Argument<string> Pointer { get; } = new("POINTER")
        {
            Description = "The place as a JSON pointer (RFC 6901): /limits/max, /hosts/0; /hosts/- is the place behind the last element, "
                + "\"\" the whole document",
        };

        public ChangeOptions AddTo(Command command)
        {
            command.Arguments.Add(Application);
            command.Arguments.Add(Key);
            command.Arguments.Add(Pointer);
            var change = new ChangeOptions();
            change.AddToEdit(command);
            return change;
        }
    }
}
