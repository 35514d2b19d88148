using System.CommandLine;
using System.CommandLine.Parsing;
using Ripple.Admin.Archives;
using Ripple.Admin.Contracts;
using Ripple.Admin.Git;
using Ripple.Cli.Output;

namespace Ripple.Cli.Commands;

/// <summary><c>import</c>, for an archive or a git repository.</summary>
internal static class ImportCommand
{
    public static Command Make(CliScope scope, NameArguments names)
    {
        var file = new Argument<string?>("FILE") { Description = "A file that 'export' made", Arity = ArgumentArity.ZeroOrOne };
        Option<string?> application = names.ApplicationOption("--app", "The application to import into");
        application.Required = true;
        var replace = new Option<bool>("--replace") { Description = "Removes keys that FILE does not have. Default: they stay" };
        var git = new Option<string?>("--git")
        {
            Description =
                "A folder of a git repository: every commit that changed --path becomes a release. Run again, it goes on where it ended",
            HelpName = "REPO",
        };
        var path = new Option<string?>("--path") { Description = "The file, relative to REPO, with slashes", HelpName = "FILE" };
        var key = new Option<string?>("--key") { Description = "The key that holds it. Default: --path as it stands", HelpName = "KEY" };
        var reference = new Option<string?>("--ref")
        {
            Description = "Where the history ends: a branch, a tag or a commit. Default: HEAD",
            HelpName = "REF",
        };
        var firstParent =
            new Option<bool>("--first-parent") { Description = "Takes merges as one commit each, not the commits of the branches merged" };
        var skipInvalid = new Option<bool>("--skip-invalid")
        {
            Description = "Passes over commits whose file is not JSON though the key says so. Default: such a commit ends the import",
        };
        var replay = new Option<bool>("--replay")
        {
            Description = "Releases the history though nodes run that take it: each of its states is in effect there for a moment",
        };
        var change = new ChangeOptions();
        var command = new Command(
            "import", "Imports a file that 'export' made as one release, or with --git the history of a file as many.")
        {
            file, application, replace, git, path, key, reference, firstParent, skipInvalid, replay,
        };
        change.AddTo(command);
        command.Validators.Add(result => Check(
            result,
            file,
            git,
            path,
            [replace, .. Options(command, "--expect", "--note", "--publish-id", "--wait", "--timeout")],
            [path, key, reference, firstParent, skipInvalid, replay]));
        return scope.Run(command, async context =>
        {
            string name = context.Result.GetRequiredValue(application)!;
            if (context.Get(git) is not { } repository)
            {
                return await ImportAsync(context, context.Result.GetValue(file)!, name, context.Get(replace), change).ConfigureAwait(false);
            }

            var options = new GitImportOptions
            {
                Repository = repository,
                Path = context.Get(path)!,
                Application = name,
                Key = context.Get(key),
                Reference = context.Get(reference) ?? "HEAD",
                IsFirstParentOnly = context.Get(firstParent),
                SkipsInvalid = context.Get(skipInvalid),
                Replays = context.Get(replay),
            };
            if (change.IsDryRun(context))
            {
                GitImportPlan plan = await GitImport.PlanAsync(context.Client, options, context.Cancel).ConfigureAwait(false);
                context.Write(plan, CliJson.Default.GitImportPlan, p => Tell(context, p));
                return ExitCodes.Done;
            }

            GitImportResult result = await LiveView.RunAsync(context, show => GitImport.RunAsync(
                context.Client,
                options,
                new DirectProgress<GitImportProgress>(p => show([Head(context, p)])),
                context.Cancel)).ConfigureAwait(false);
            context.Write(result, CliJson.Default.GitImportResult, r => Tell(context, r));
            return ExitCodes.Done;
        });
    }

    private static IEnumerable<Option> Options(Command command, params string[] names) =>
        command.Options.Where(o => names.Contains(o.Name));

    private static void Check(
        CommandResult result, Argument<string?> file, Option<string?> git, Option<string?> path, Option[] ofFile, Option[] ofGit)
    {
        bool isGit = result.GetValue(git) is not null;
        if (isGit == result.GetValue(file) is not null)
        {
            result.AddError("Say what to import: either FILE, or --git REPO with --path FILE.");
            return;
        }

        if (isGit && result.GetValue(path) is null)
        {
            result.AddError("--git takes --path as well: the file whose history to import.");
        }

        foreach (Option option in isGit ? ofFile : ofGit)
        {
            if (result.GetResult(option) is { Implicit: false })
            {
                result.AddError($"{option.Name} does not go with {(isGit ? "--git" : "FILE")}. Leave it away.");
            }
        }
    }

    private static async Task<int> ImportAsync(CliContext context, string path, string application, bool replaces, ChangeOptions change)
    {
        if (!File.Exists(path))
        {
            throw new CliException($"There is no file '{path}'. Give a file that 'ripple export' made.");
        }

        Archive archive;
        FileStream stream = File.OpenRead(path);
        await using (stream.ConfigureAwait(false))
        {
            archive = await Archive.ReadAsync(stream, context.Cancel).ConfigureAwait(false);
        }

        PublishRequest request = await archive.PlanImportAsync(
            context.Client, application, replaces, change.Note(context), context.Cancel).ConfigureAwait(false);
        return await PublishCommand.RunAsync(context, application, request, change).ConfigureAwait(false);
    }

    private static string Head(CliContext context, GitImportProgress progress)
    {
        string last = progress.Commit is not { } commit
            ? string.Empty
            : $"  {commit.Id[..Math.Min(12, commit.Id.Length)]} "
                + $"{(progress.Release is { } release ? $"is release {release}" : "made no release")}";
        return $"{LiveView.Bar(context, progress.Done, progress.Total)}{progress.Done} of {progress.Total}{last}";
    }

    private static void Tell(CliContext context, GitImportPlan plan)
    {
        context.Line(
            $"{plan.Key} of {plan.Application}: {plan.Total} commits, {plan.Resumed} imported before; up to {plan.Remaining} "
                + $"would be released, oldest first, and {plan.NodeCount} nodes take them. Nothing was changed.");
        if (plan.NeedsReplay)
        {
            context.Line(
                "Each of these states would be in effect on those nodes while it is the newest: it is refused without --replay.");
        }
    }

    private static void Tell(CliContext context, GitImportResult result)
    {
        string range = result.FirstRelease is { } first ? $" ({first} to {result.LastRelease})" : string.Empty;
        context.Line(
            $"{result.Key} of {result.Application}: {result.Total} commits; {result.Released} released{range}, "
                + $"{result.Resumed} imported before, {result.Unchanged} without a change, {result.Invalid} not JSON");
    }
}
