using System.CommandLine;
using System.Text;
using System.Text.Json;
using Ripple.Admin.Contracts;

namespace Ripple.Cli.Commands;

/// <summary><c>emit</c> and <c>subscribe</c>.</summary>
internal static class EventCommands
{
    public static Command Emit(CliScope scope, NameArguments names)
    {
        Argument<string> application = names.Application();
        var values = new Argument<string[]>("NAME=VALUE")
        {
            Description = "A value of each dimension of the space, such as price=15",
            Arity = ArgumentArity.OneOrMore,
        };
        var text = new Option<string?>("--text") { Description = "What it carries", HelpName = "TEXT" };
        var until = new Option<EmitStage>("--until")
        {
            Description = "How far it is to be: accepted, matched or delivered. Default delivered: all who get it took it",
            DefaultValueFactory = _ => EmitStage.Delivered,
        };
        var command = new Command(
            "emit", "Emits an event: it reaches every subscriber whose ranges have its values. Takes a publisher of the application.")
        {
            application,
            values,
            text,
            until,
        };
        return scope.Run(command, async context =>
        {
            EmittedEvent emitted = await context.Client.EmitAsync(
                context.Get(application),
                Point(context.Get(values)),
                Encoding.UTF8.GetBytes(context.Get(text) ?? string.Empty),
                context.Get(until),
                context.Cancel).ConfigureAwait(false);
            context.Write(emitted, AdminJson.Default.EmittedEvent, e => context.Line(
                $"{e.Stage.ToString().ToLowerInvariant()}, {e.SubscriberCount} subscribers: {e.Id}"));
            return ExitCodes.Done;
        });
    }

    public static Command Subscribe(CliScope scope, NameArguments names)
    {
        Argument<string> application = names.Application();
        var where = new Argument<string[]>("NAME=FROM..TO")
        {
            Description = "A half-open range of a dimension, such as price=10..20; a dimension that is not given is open",
            Arity = ArgumentArity.ZeroOrMore,
        };
        var block = new Option<bool>("--block")
        {
            Description = "Emitters of such events wait while they come faster than they are shown. Default: the oldest are lost, and told",
        };
        var count = new Option<int?>("--count", "-n") { Description = "Ends after so many events. Default: it goes on until you end it" };
        var command = new Command(
            "subscribe",
            "Shows the events in all of the ranges as they come, a line each; JSON is a line an event. A lost connection may lose some.")
        {
            application,
            where,
            block,
            count,
        };
        return scope.Run(command, async context =>
        {
            int left = context.Get(count) ?? int.MaxValue;
            if (left <= 0)
            {
                throw new CliException("--count takes 1 or more events.");
            }

            await foreach (SpaceEvent one in context.Client.SubscribeAsync(
                context.Get(application), context.Get(where), context.Get(block), context.Cancel).ConfigureAwait(false))
            {
                context.Line(context.IsJson ? JsonSerializer.Serialize(one, AdminJson.Default.SpaceEvent) : Text(one));
                await context.Console.Out.FlushAsync(context.Cancel).ConfigureAwait(false);
                if (--left == 0)
                {
                    break;
                }
            }

            return ExitCodes.Done;
        });
    }

    /// <summary>What <c>price=15</c> and others say.</summary>
    public static Dictionary<string, string> Point(IEnumerable<string> values)
    {
        var point = new Dictionary<string, string>(StringComparer.Ordinal);
        foreach (string value in values)
        {
            int equals = value.IndexOf('=', StringComparison.Ordinal);
            if (equals <= 0 || !point.TryAdd(value[..equals], value[(equals + 1)..]))
            {
                throw new CliException($"'{value}' is not NAME=VALUE, or its name is there twice.");
            }
        }

        return point;
    }

    private static string Text(SpaceEvent one)
    {
        string point = string.Join(' ', one.Point.Select(p => $"{p.Key}={p.Value}"));
        string carried = one.Text ?? $"{one.Bytes?.Length ?? 0} bytes";
        string lost = one.Dropped == 0 ? string.Empty : $"({one.Dropped} lost before) ";
        return carried.Length == 0 ? lost + point : $"{lost}{point} {carried}";
    }
}
