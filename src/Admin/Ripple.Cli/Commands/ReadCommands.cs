using System.CommandLine;
using System.Text;
using System.Text.Unicode;
using Ripple.Admin;
using Ripple.Admin.Contracts;
using Ripple.Cli.Output;
using Ripple.Trust;

namespace Ripple.Cli.Commands;

/// <summary><c>get</c> and <c>keys</c>.</summary>
internal static class ReadCommands
{
    public static Command Get(CliScope scope, NameArguments names)
    {
        Argument<string> application = names.Application();
        var key = new Argument<string?>("KEY") { Description = "The key; without it the keys are listed", Arity = ArgumentArity.ZeroOrOne };
        key.CompletionSources.Add(names.KeysOf(application));
        Option<ulong?> release = Release();
        var file = new Option<string?>("--out")
        {
            Description = "Writes the value into a file, which is replaced. Default: standard output",
            HelpName = "FILE",
        };
        var raw = new Option<bool>("--raw")
        {
            Description = "Byte for byte on a terminal too, where a value could move the cursor or pass for other output. "
                + "Elsewhere a value is always written so",
        };
        var command = new Command(
            "get",
            "Writes the value of a key, byte for byte as it was published. On a terminal, characters that are not shown are written as "
                + "their number (\\u001B).") { application, key, release, file, raw };
        command.Validators.Add(result =>
        {
            if (result.GetValue(file) is not null && result.GetValue(key) is null)
            {
                result.AddError("--out takes one value: name the KEY. 'ripple export' writes all of them into one file.");
            }
        });
        return scope.Run(command, async context => context.Result.GetValue(key) is { } name
            ? await GetAsync(
                context, context.Get(application), name, context.Get(release), context.Get(file), context.Get(raw)).ConfigureAwait(false)
            : await ListAsync(context, context.Get(application), context.Get(release), null).ConfigureAwait(false));
    }

    public static Command Keys(CliScope scope, NameArguments names)
    {
        Argument<string> application = names.Application();
        Option<ulong?> release = Release();
        var prefix = new Option<string?>("--prefix") { Description = "Only keys that begin with this", HelpName = "TEXT" };
        var command = new Command("keys", "Lists the keys of an application.") { application, release, prefix };
        return scope.Run(command, context => ListAsync(context, context.Get(application), context.Get(release), context.Get(prefix)));
    }

    private static Option<ulong?> Release() => new("--release", "-r")
    {
        CustomParser = Parsed.ReleaseOrNull,
        Description = "At this release. Default: the newest",
        HelpName = "N",
    };

    private static async Task<int> ListAsync(CliContext context, string application, ulong? release, string? prefix)
    {
        await context.WriteAsync(
            context.Client.ListKeysAsync(application, release, prefix, context.Cancel),
            AdminJson.Default.KeyInfo,
            new TextTable(">BYTES", "DIGEST", "KEY"),
            k => [Show.Number(k.LengthBytes), k.Digest, k.Key]).ConfigureAwait(false);
        return ExitCodes.Done;
    }

    private static async Task<int> GetAsync(CliContext context, string application, string key, ulong? release, string? file, bool isRaw)
    {
        KeyContent content = await context.Client.ReadKeyAsync(application, key, release, context.Cancel).ConfigureAwait(false);
        if (file is not null)
        {
            await File.WriteAllBytesAsync(file, content.Bytes, context.Cancel).ConfigureAwait(false);
        }

        if (context.IsJson)
        {
            bool isText = Utf8.IsValid(content.Bytes.Span);
            var value = new ReadValue(
                application,
                key,
                content.Generation,
                content.Release,
                content.Bytes.Length,
                isText && file is null ? Encoding.UTF8.GetString(content.Bytes.Span) : null,
                isText || file is not null ? null : content.Bytes.ToArray());
            JsonOutput.Write(context.Console.Out, value, CliJson.Default.ReadValue);
        }
        else if (file is not null)
        {
            context.Line($"{key} of {application} release {content.Release}: {content.Bytes.Length} bytes written to {file}");
        }
        else if (context.Console.IsTerminal && !isRaw)
        {
            context.Console.Out.Write(ShownText.Lines(Encoding.UTF8.GetString(content.Bytes.Span).ReplaceLineEndings("\n")));
        }
        else
        {
            await context.Console.Out.FlushAsync(context.Cancel).ConfigureAwait(false);
            await context.Console.Output.WriteAsync(content.Bytes, context.Cancel).ConfigureAwait(false);
            await context.Console.Output.FlushAsync(context.Cancel).ConfigureAwait(false);
        }

        return ExitCodes.Done;
    }
}
