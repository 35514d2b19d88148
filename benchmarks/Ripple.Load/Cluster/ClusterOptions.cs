using System.CommandLine;

namespace Ripple.Load.Cluster;

/// <summary>What to do to a cluster. Immutable.</summary>
/// <param name="Hosts">The hosts, one of which leads.</param>
/// <param name="Clients">The nodes, all in one process.</param>
/// <param name="Kill">What happens to the leader.</param>
/// <param name="Times">How often.</param>
/// <param name="IsJson">Whether the last line is the result as JSON.</param>
internal sealed record ClusterOptions(int Hosts, int Clients, Disaster Kill, int Times, bool IsJson)
{
    public const string Usage = "cluster [--hosts N] [--clients N] [--kill leader|stop|database] [--times N] [--json]\n"
        + "  Hosts on a PostgreSQL of its own, nodes, and publishes all the time: kills the leader (or stops it for 10 s, or kills the\n"
        + "  database and starts it again after 20 s), again and again, and says how long nobody answered and whether anything was lost.";

    /// <summary>The command line.</summary>
    public static Command Make(Func<ClusterOptions, Task<int>> run)
    {
        var hosts = new Option<int>("--hosts") { DefaultValueFactory = _ => 3 };
        var clients = new Option<int>("--clients") { DefaultValueFactory = _ => 200 };
        var kill = new Option<Disaster>("--kill") { DefaultValueFactory = _ => Disaster.Leader };
        var times = new Option<int>("--times") { DefaultValueFactory = _ => 10 };
        var json = new Option<bool>("--json");
        foreach ((Option<int> option, int min) in ((Option<int>, int)[])[(hosts, 1), (clients, 1), (times, 1)])
        {
            option.Validators.Add(result =>
            {
                if (result.GetValueOrDefault<int>() < min)
                {
                    result.AddError($"{option.Name} is {min} or more.");
                }
            });
        }

        var command = new Command("cluster", Usage) { hosts, clients, kill, times, json };
        command.SetAction((result, _) => run(new ClusterOptions(
            result.GetValue(hosts), result.GetValue(clients), result.GetValue(kill), result.GetValue(times), result.GetValue(json))));
        return command;
    }
}

/// <summary>What happens to a cluster.</summary>
internal enum Disaster
{
    /// <summary>The leader's process is killed, and started again as a standby when another leads.</summary>
    Leader,

    /// <summary>The leader's process is stopped for 10 seconds, and goes on.</summary>
    Stop,

    /// <summary>The database is killed, and started again after 20 seconds.</summary>
    Database,
}
