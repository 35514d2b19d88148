using Ripple.Admin.Contracts;
using Ripple.Cli.Output;

namespace Ripple.Cli.Commands;

/// <summary>Runs a wait, showing its progress and result.</summary>
internal static class Waiting
{
    public static Task<WaitResult> RunAsync(
        CliContext context, string application, ReleaseNumber number, string predicate, TimeSpan timeout) =>
        LiveView.RunAsync(context, show =>
        {
            ulong release = number.Release;
            var progress = new DirectProgress<WaitProgress>(p =>
            {
                // Until its members are counted, a wait reports a total of zero.
                if (p.Total > 0)
                {
                    show([$"{LiveView.Bar(context, p.Holding, p.Total)}{p.Holding} of {p.Total} have release {release}"]);
                }
            });
            return number.Generation is { } generation
                ? context.Client.WaitAsync(application, generation, release, predicate, timeout, progress, context.Cancel)
                : context.Client.WaitAsync(application, release, predicate, timeout, progress, context.Cancel);
        });

    public static int Code(WaitResult? wait) => wait is null or { Outcome: WaitOutcome.Held } ? ExitCodes.Done : ExitCodes.NotHeld;

    public static void Tell(CliContext context, string application, ulong release, WaitResult wait)
    {
        string what = $"release {release} of {application}";
        string text = wait.Text.Length == 0 ? string.Empty : $": {wait.Text}";
        context.Line(wait.Outcome switch
        {
            WaitOutcome.Held => $"held: {what}, {Count(wait.Total)}",
            WaitOutcome.CannotHold => $"cannot hold: {what}, {Count(wait.Total)}{text}",
            _ => $"not held in time: {what}, {Count(wait.Total)}{text}",
        });
        Table(context, "kept from holding by:", wait.Members);
        Table(context, "not counted:", wait.Discounted);
    }

    private static void Table(CliContext context, string title, IReadOnlyList<WaitMember> members)
    {
        if (members.Count == 0)
        {
            return;
        }

        context.Line(title);
        var table = new TextTable(">RELEASE", "NODE", "ID", "REASON");
        foreach (WaitMember member in members)
        {
            table.Add(Show.Number(member.Value), member.Name, member.NodeId, member.Reason);
        }

        table.Write(context.Console.Out);
    }

    private static string Count(int members) => members == 1 ? "1 member" : $"{members} members";
}
