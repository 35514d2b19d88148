namespace Ripple.Load.Processes;

/// <summary>What this program is when it was started by itself: the first argument.</summary>
internal static class Roles
{
    public const string Host = "role-host";

    public const string ClusterHost = "role-cluster-host";

    public const string Clients = "role-clients";

    public const string DeafClients = "role-deaf-clients";

    public const string SdkClients = "role-sdk-clients";

    public const string HistoryClients = "role-history-clients";

    public const string EventSubscribers = "role-event-subscribers";

    public const string EventEmitter = "role-event-emitter";

    public const string RedisSubscribers = "role-redis-subscribers";

    public const string Spin = "role-spin";

    public const string FanoutReceivers = "role-fanout-receivers";
}
