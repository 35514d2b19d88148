using Ripple.Load.Cluster;
using Ripple.Load.Events;
using Ripple.Load.Events.Peers;
using Ripple.Load.Fanout;
using Ripple.Load.Matching;
using Ripple.Load.Peers;
using Ripple.Load.Processes;
using Ripple.Load.Push;
using Ripple.Load.Push.Deafness;
using Ripple.Load.Push.Histories;

try
{
    return await RunAsync(args);
}
catch (PeerException e)
{
    await Console.Error.WriteLineAsync(e.Message);
    return 2;
}

static async Task<int> RunAsync(string[] args) => args switch
{
    ["push", .. var rest] => await PushCommand.RunAsync(rest),
    ["fanout", .. var rest] => await FanoutCommand.RunAsync(rest),
    ["match", .. var rest] => MatchCommand.Run(rest),
    ["cluster", .. var rest] => await ClusterCommand.RunAsync(rest),
    ["events", .. var rest] => await EventsCommand.RunAsync(rest),
    [Roles.EventSubscribers, .. var rest] => await SubscribersRole.RunAsync(rest),
    [Roles.EventEmitter, .. var rest] => await EmitterRole.RunAsync(rest),
    [Roles.RedisSubscribers, .. var rest] => await RedisSubscribersRole.RunAsync(rest),
    [Roles.ClusterHost, .. var rest] => await ClusterHostRole.RunAsync(rest),
    [Roles.FanoutReceivers, .. var rest] => await ReceiversRole.RunAsync(rest),
    [Roles.Host, .. var rest] => await HostRole.RunAsync(rest),
    [Roles.Spin, .. var rest] => await SpinRole.RunAsync(rest),
    [Roles.SdkClients, .. var rest] => await SdkClientsRole.RunAsync(rest),
    [Roles.HistoryClients, .. var rest] => await HistoryClientsRole.RunAsync(rest),
    [Roles.DeafClients, .. var rest] => await DeafClientsRole.RunAsync(rest),
    [Roles.Clients, .. var rest] => await ClientsRole.RunAsync(rest),
    _ => Usage(),
};

static int Usage()
{
    Console.Error.WriteLine(string.Join(
        '\n', PushOptions.Usage, FanoutOptions.Usage, MatchOptions.Usage, EventsOptions.Usage, ClusterOptions.Usage));
    return 2;
}
