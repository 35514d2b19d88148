using System.CommandLine;
using Ripple.Admin;
using Ripple.Admin.Contracts;
using Ripple.Admin.Holders;
using Ripple.Cli.Output;

namespace Ripple.Cli.Commands;

/// <summary>The options of all commands that make a release.</summary>
internal sealed class ChangeOptions
{
    private readonly Option<ReleaseNumber?> _expect = new("--expect")
    {
        CustomParser = Parsed.NumberOrNull,
        Description = "Refuses unless this is the newest release, with or without its generation; 0: there is none yet",
        HelpName = "[GENERATION/]N",
    };
    private readonly Option<string?> _note =
        new("--note") { Description = "What changed and why; shown in the history", HelpName = "TEXT" };
    private readonly Option<Guid?> _publishId = new("--publish-id")
    {
        CustomParser = Parsed.Guid,
        Description = "Your own name for it: asked again with the same one, it is not released twice. Default: a new one",
        HelpName = "GUID",
    };
    private readonly Option<bool> _dryRun =
        new("--dry-run") { Description = "Shows what would change, and which nodes it would reach. Changes nothing" };

    public WaitOptions Wait { get; } = new();

    public void AddTo(Command command)
    {
        command.Options.Add(_expect);
        command.Options.Add(_publishId);
        AddToEdit(command);
    }

    /// <summary>Without those of one publish: an edit may need several, each with an expected release and an id of its own.</summary>
    public void AddToEdit(Command command)
    {
        command.Options.Add(_note);
        command.Options.Add(_dryRun);
        Wait.AddTo(command);
        command.Validators.Add(result =>
        {
            if (result.GetValue(_dryRun) && Wait.IsAsked(result))
            {
                result.AddError("A dry run releases nothing to wait for: leave --wait or --dry-run away.");
            }
        });
    }

    public ReleaseNumber? Expect(CliContext context) => context.Get(_expect);

    public string? Note(CliContext context) => context.Get(_note);

    public Guid? PublishId(CliContext context) => context.Get(_publishId);

    public bool IsDryRun(CliContext context) => context.Get(_dryRun);

    /// <summary>Before something is published: what is to be waited for must be a predicate. The default is one.</summary>
    public async Task CheckAsync(CliContext context, string application)
    {
        if (Wait.Predicate(context) is not { } predicate || predicate == WaitOptions.Everywhere)
        {
            return;
        }

        try
        {
            await context.Client.CheckPredicateAsync(application, predicate, context.Cancel).ConfigureAwait(false);
        }
        catch (RippleAdminException e) when (e.Code == ProblemCodes.InvalidPredicate)
        {
            throw new CliException($"--wait: {e.Message} Nothing was published.");
        }
        catch (RippleAdminException)
        {
            // The publish says it better.
        }
    }

    /// <summary>Reports the release, and waits for it if requested.</summary>
    /// <param name="context">The running command.</param>
    /// <param name="published">The release.</param>
    /// <param name="edit">The edit that it is; null for another change.</param>
    public async Task<int> FinishAsync(CliContext context, PublishResult published, EditReport? edit = null)
    {
        if (!context.IsJson)
        {
            context.Line($"{published.Application} release {published.Release} ({published.Id})");
        }

        WaitResult? wait = null;
        if (Wait.Predicate(context) is { } predicate)
        {
            try
            {
                wait = await Waiting.RunAsync(
                    context,
                    published.Application,
                    new ReleaseNumber(published.Generation, published.Release),
                    predicate,
                    Wait.Timeout(context)).ConfigureAwait(false);
            }
            catch (Exception e) when (e is RippleAdminException or OperationCanceledException)
            {
                // The failure alone would suggest that nothing was released.
                if (context.IsJson)
                {
                    JsonOutput.Write(context.Console.Out, new PublishReport(published, null, edit), CliJson.Default.PublishReport);
                }
                else
                {
                    await context.Console.Error.WriteLineAsync(
                        $"Release {published.Release} of {published.Application} is published; what follows "
                            + $"is about the wait alone.").ConfigureAwait(false);
                }

                if (e is RippleAdminException { Failure: AdminFailure.Refused } refusal)
                {
                    throw new WaitFailedException(refusal);
                }

                throw;
            }
        }

        context.Write(new PublishReport(published, wait, edit), CliJson.Default.PublishReport, _ =>
        {
            if (wait is not null)
            {
                Waiting.Tell(context, published.Application, published.Release, wait);
            }
        });
        return Waiting.Code(wait);
    }
}

/// <summary>Shows the effect a change would have.</summary>
internal static class PlanView
{
    /// <summary>Shows a plan.</summary>
    /// <param name="context">The running command.</param>
    /// <param name="plan">The plan from the host.</param>
    /// <param name="after">Reads the value of a key after the change.</param>
    public static async Task<int> ShowAsync(CliContext context, PublishPlan plan, Func<string, Task<ReadOnlyMemory<byte>>> after)
    {
        if (context.IsJson)
        {
            JsonOutput.Write(context.Console.Out, plan, AdminJson.Default.PublishPlan);
            return ExitCodes.Done;
        }

        context.Line($"dry run: nothing is published. {plan.Application} is at release {plan.BaseRelease}");
        await ValueDiff.WriteAsync(
            context,
            plan.Changes,
            key => ReadAsync(context.Client, plan.Application, key, plan.BaseRelease, context.Cancel),
            after).ConfigureAwait(false);
        if (plan.Nodes.Count == 0)
        {
            context.Line("would reach no node: none that wants it is there now");
            return ExitCodes.Done;
        }

        context.Line(plan.Nodes.Count == 1 ? "would reach 1 node:" : $"would reach {plan.Nodes.Count} nodes:");
        var table = new TextTable("NODE", "ZONE", "APPLICATION", "ID");
        foreach (NodeName node in plan.Nodes)
        {
            table.Add(node.Name, node.Zone, node.Application, node.NodeId);
        }

        table.Write(context.Console.Out);
        await RejectingAsync(context, plan).ConfigureAwait(false);
        return ExitCodes.Done;
    }

    /// <summary>A node judges a release as a whole: what it rejects now keeps it from taking other keys, too.</summary>
    private static async Task RejectingAsync(CliContext context, PublishPlan plan)
    {
        if (plan.BaseRelease == 0)
        {
            return;
        }

        ReleaseHolders holders;
        try
        {
            holders = await context.Client.GetHoldersAsync(plan.Application, plan.BaseRelease, context.Cancel).ConfigureAwait(false);
        }
        catch (RippleAdminException)
        {
            // The plan stands without it.
            return;
        }

        if (holders.Rejected.Count == 0)
        {
            return;
        }

        context.Line(
            $"{(holders.Rejected.Count == 1 ? "1 node rejects" : $"{holders.Rejected.Count} nodes reject")} release {plan.BaseRelease}, "
                + "and none of its keys: the next one takes effect there if what is rejected is corrected with it");
        var table = new TextTable("NODE", "ID", "REASON");
        foreach (NodeInfo node in holders.Rejected)
        {
            table.Add(node.Name, node.NodeId, node.Reason);
        }

        table.Write(context.Console.Out);
    }

    public static async Task<ReadOnlyMemory<byte>> ReadAsync(
        RippleAdminClient client, string application, string key, ulong release, CancellationToken cancellationToken) =>
        (await client.ReadKeyAsync(application, key, release, cancellationToken).ConfigureAwait(false)).Bytes;
}
