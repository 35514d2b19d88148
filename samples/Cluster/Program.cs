using Cluster;
using Ripple.Tests.Shared.Postgres;

using var postgres = new LocalPostgres(isInMemory: false);
if (postgres.TryStart() is { } missing)
{
    Console.Error.WriteLine($"{missing} On Debian and Ubuntu: apt-get install postgresql.");
    return 1;
}

try
{
    await using var tour = new ClusterTour(postgres);
    return await tour.RunAsync();
}
catch (Exception e) when (e is ClusterException or TimeoutException or Ripple.Client.RippleException)
{
    Console.Error.WriteLine(e.Message);
    return 1;
}
