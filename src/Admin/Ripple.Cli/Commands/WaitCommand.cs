using System.CommandLine;
using Ripple.Admin.Contracts;

namespace Ripple.Cli.Commands;

/// <summary><c>wait</c>.</summary>
internal static class WaitCommand
{
    public static Command Make(CliScope scope, NameArguments names)
    {
        Argument<string> application = names.Application();
        var release = new Argument<ReleaseNumber>("RELEASE")
        {
            CustomParser = Parsed.Number,
            Description = "The release, such as 12, or with its generation, such as 2/12",
        };
        var predicate = new Argument<string>("PREDICATE")
        {
            Description = $"What is to hold. Default {WaitOptions.Everywhere}: in effect everywhere. {WaitOptions.Belief}",
            DefaultValueFactory = _ => WaitOptions.Everywhere,
        };
        Option<int> timeout = WaitOptions.TimeoutOption();
        var command = new Command(
            "wait",
            "Waits until a predicate holds for a release; exit code 3 when it does not, with the names of those that kept it from holding.")
        {
            application,
            release,
            predicate,
            timeout,
        };
        return scope.Run(command, async context =>
        {
            string name = context.Get(application);
            ReleaseNumber number = context.Get(release);
            WaitResult wait = await Waiting.RunAsync(
                context, name, number, context.Get(predicate), TimeSpan.FromSeconds(context.Get(timeout))).ConfigureAwait(false);
            context.Write(wait, AdminJson.Default.WaitResult, w => Waiting.Tell(context, name, number.Release, w));
            return Waiting.Code(wait);
        });
    }
}
