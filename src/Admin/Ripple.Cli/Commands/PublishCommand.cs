using System.CommandLine;
using Ripple.Admin.Contracts;
using Ripple.Admin.Planning;

namespace Ripple.Cli.Commands;

/// <summary><c>publish</c>.</summary>
internal static class PublishCommand
{
    public static Command Make(CliScope scope, NameArguments names)
    {
        Argument<string> application = names.Application();
        var files = new Argument<string[]>("KEY=FILE")
        {
            Description = "A key and the file that holds its value, byte for byte; '-' is standard input. Again for more",
            Arity = ArgumentArity.ZeroOrMore,
        };
        files.CompletionSources.Add(names.KeysOf(application, "="));
        var texts = new Option<string[]>("--text") { Description = "A key and its value as text. Again for more", HelpName = "KEY=TEXT" };
        var remove = new Option<string[]>("--remove") { Description = "A key to remove. Again for more", HelpName = "KEY" };
        remove.CompletionSources.Add(names.KeysOf(application));
        var change = new ChangeOptions();
        var command = new Command("publish", "Publishes keys of an application as one release. The key ends at the first '='.")
        {
            application,
            files,
            texts,
            remove,
        };
        change.AddTo(command);
        command.Validators.Add(result =>
        {
            if ((result.GetValue(files) ?? []).Length + (result.GetValue(texts) ?? []).Length + (result.GetValue(remove) ?? []).Length == 0)
            {
                result.AddError("There is nothing to publish. Give KEY=FILE, --text KEY=TEXT or --remove KEY.");
            }
        });
        return scope.Run(command, async context =>
        {
            var draft = new PublishDraft(context.Get(application));
            await ReadAsync(context, draft, context.Result.GetValue(files) ?? [], context.Get(texts) ?? []).ConfigureAwait(false);
            foreach (string key in context.Get(remove) ?? [])
            {
                draft.Remove(key.Length > 0 ? key : throw new CliException("--remove has an empty key. Give the key to remove."));
            }

            return await RunAsync(
                context, draft.Application, draft.ToRequest(change.Note(context) ?? string.Empty), change).ConfigureAwait(false);
        });
    }

    /// <summary>Publishes, or shows the effect publishing would have.</summary>
    public static async Task<int> RunAsync(CliContext context, string application, PublishRequest request, ChangeOptions change)
    {
        if (change.IsDryRun(context))
        {
            PublishPlan plan = await context.Client.PlanPublishAsync(
                application, request, change.Expect(context), context.Cancel).ConfigureAwait(false);
            return await PlanView.ShowAsync(context, plan, key => Task.FromResult(After(request, key))).ConfigureAwait(false);
        }

        await change.CheckAsync(context, application).ConfigureAwait(false);
        PublishResult published = await context.Client.PublishAsync(
            application, request, change.Expect(context), change.PublishId(context), context.Cancel).ConfigureAwait(false);
        return await change.FinishAsync(context, published).ConfigureAwait(false);
    }

    private static ReadOnlyMemory<byte> After(PublishRequest request, string key)
    {
        KeyValue value = request.Set.First(v => v.Key == key);
        return value.Bytes ?? System.Text.Encoding.UTF8.GetBytes(value.Text!);
    }

    private static async Task ReadAsync(CliContext context, PublishDraft draft, string[] files, string[] texts)
    {
        foreach (string text in texts)
        {
            (string key, string value) = Split(text, "--text", "KEY=TEXT");
            draft.Set(key, value);
        }

        bool isInputTaken = false;
        foreach (string file in files)
        {
            (string key, string path) = Split(file, "An argument", "KEY=FILE");
            if (path == "-" && isInputTaken)
            {
                throw new CliException("Standard input ('-') is given for two keys. Give it for one.");
            }

            isInputTaken |= path == "-";
            draft.Set(
                key,
                path == "-"
                    ? await ReadInputAsync(context).ConfigureAwait(false)
                    : await ReadFileAsync(path, context.Cancel).ConfigureAwait(false));
        }
    }

    private static (string Key, string Value) Split(string text, string what, string form)
    {
        int equals = text.IndexOf('=', StringComparison.Ordinal);
        return equals > 0 && (equals < text.Length - 1 || form == "KEY=TEXT")
            ? (text[..equals], text[(equals + 1)..])
            : throw new CliException($"{what} is '{text}', which is not {form}.");
    }

    private static async Task<byte[]> ReadFileAsync(string path, CancellationToken cancellationToken)
    {
        if (!File.Exists(path))
        {
            throw new CliException(
                $"There is no file '{path}'. Give KEY=FILE with the path of a file, or --text KEY=TEXT for a value itself.");
        }

        FileStream stream = File.OpenRead(path);
        await using (stream.ConfigureAwait(false))
        {
            return await ReadBoundedAsync(stream, path, cancellationToken).ConfigureAwait(false);
        }
    }

    private static Task<byte[]> ReadInputAsync(CliContext context) =>
        ReadBoundedAsync(context.Console.OpenInput(), "standard input", context.Cancel);

    /// <summary>
    /// Reads beyond the limit, so that a value that is too large is refused in the same place as other errors, but never without bound.
    /// </summary>
    private static async Task<byte[]> ReadBoundedAsync(Stream stream, string name, CancellationToken cancellationToken)
    {
        const int BytesMax = 4 * AdminLimits.ValueBytesMax;
        using var bytes = new MemoryStream();
        byte[] buffer = new byte[65_536];
        int read;
        while ((read = await stream.ReadAsync(buffer, cancellationToken).ConfigureAwait(false)) > 0)
        {
            bytes.Write(buffer, 0, read);
            if (bytes.Length > BytesMax)
            {
                throw new CliException($"'{name}' has more than {BytesMax} bytes; a value has at most {AdminLimits.ValueBytesMax}.");
            }
        }

        return bytes.ToArray();
    }
}
