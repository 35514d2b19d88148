using Ripple.Load.Fanout;
using Ripple.Load.Processes;
using Ripple.Load.Push;

return args switch
{
    ["push", .. var rest] => await PushCommand.RunAsync(rest),
    ["fanout", .. var rest] => await FanoutCommand.RunAsync(rest),
    [Roles.FanoutReceivers, .. var rest] => await ReceiversRole.RunAsync(rest),
    [Roles.Host, .. var rest] => await HostRole.RunAsync(rest),
    [Roles.SdkClients, .. var rest] => await SdkClientsRole.RunAsync(rest),
    [Roles.Clients, .. var rest] => await ClientsRole.RunAsync(rest),
    _ => Usage(),
};

static int Usage()
{
    Console.Error.WriteLine($"{PushOptions.Usage}\n{FanoutOptions.Usage}");
    return 2;
}
