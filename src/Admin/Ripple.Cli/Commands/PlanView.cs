using Ripple.Admin;
using Ripple.Admin.Contracts;
using Ripple.Cli.Output;

namespace Ripple.Cli.Commands;

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
        return ExitCodes.Done;
    }

    public static async Task<ReadOnlyMemory<byte>> ReadAsync(
        RippleAdminClient client, string application, string key, ulong release, CancellationToken cancellationToken) =>
        (await client.ReadKeyAsync(application, key, release, cancellationToken).ConfigureAwait(false)).Bytes;
}
