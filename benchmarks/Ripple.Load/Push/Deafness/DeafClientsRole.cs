using Ripple.Client.Running;

namespace Ripple.Load.Push.Deafness;

/// <summary>Nodes as in <see cref="ClientsRole"/>, which take no UDP from the moment they are told.</summary>
internal static class DeafClientsRole
{
    /// <summary>What tells them; answered as any question.</summary>
    public const string GoDeaf = "deaf";

    public static Task<int> RunAsync(string[] args)
    {
        var driver = new DeafDriver(SocketDriver.Start(new()));
        return ClientsRole.RunAsync(args, new RippleRuntime(driver), question =>
        {
            if (question == GoDeaf)
            {
                driver.GoDeaf();
            }
        });
    }
}
