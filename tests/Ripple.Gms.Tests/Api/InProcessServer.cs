using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Http.Features;

namespace Ripple.Gms.Tests.Api;

/// <summary>A server without sockets: a request is a call.</summary>
internal sealed class InProcessServer : IServer
{
    private Func<IFeatureCollection, Task>? _run;

    public IFeatureCollection Features { get; } = new FeatureCollection();

    public Task StartAsync<TContext>(IHttpApplication<TContext> application, CancellationToken cancellationToken)
        where TContext : notnull
    {
        _run = async features =>
        {
            TContext context = application.CreateContext(features);
            try
            {
                await application.ProcessRequestAsync(context);
            }
            finally
            {
                application.DisposeContext(context, null);
            }
        };
        return Task.CompletedTask;
    }

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public void Dispose()
    {
    }

    /// <summary>Handles one request; the answer is in the features.</summary>
    public Task RunAsync(IFeatureCollection features) => _run!(features);
}
