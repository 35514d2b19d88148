using System.CommandLine;
using Ripple.Admin.Contracts;

namespace Ripple.Cli.Commands;

/// <summary><c>rollback</c>.</summary>
internal static class RollbackCommand
{
    public static Command Make(CliScope scope, NameArguments names)
    {
        Argument<string> application = names.Application();
        var to =
            new Argument<ulong>("TO") { CustomParser = Parsed.Release, Description = "The release whose state becomes the newest release" };
        var change = new ChangeOptions();
        var command = new Command(
            "rollback", "Makes the state of a past release the newest release. The history grows; nothing in it is lost.")
        {
            application,
            to,
        };
        change.AddTo(command);
        return scope.Run(command, async context =>
        {
            string name = context.Get(application);
            var request = new RollbackRequest(context.Get(to), change.Note(context) ?? string.Empty);
            if (change.IsDryRun(context))
            {
                PublishPlan plan = await context.Client.PlanRollbackAsync(
                    name, request, change.Expect(context), context.Cancel).ConfigureAwait(false);
                return await PlanView.ShowAsync(
                    context,
                    plan,
                    key => PlanView.ReadAsync(context.Client, name, key, request.ToRelease, context.Cancel)).ConfigureAwait(false);
            }

            await change.CheckAsync(context, name).ConfigureAwait(false);
            PublishResult published = await context.Client.RollbackAsync(
                name, request, change.Expect(context), change.PublishId(context), context.Cancel).ConfigureAwait(false);
            return await change.FinishAsync(context, published).ConfigureAwait(false);
        });
    }
}
