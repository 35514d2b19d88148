using System.Diagnostics;
using Microsoft.AspNetCore.Http;
using Ripple.Engine.Releases;

namespace Ripple.Gms.Api;

/// <summary>The host's part of a distributed trace, from the caller's request to the nodes' handling of the release.</summary>
internal static class ApiActivities
{
    private static readonly ActivitySource Source = new("Ripple.Gms");

    /// <summary>Starts an activity under the caller's; null when there is no listener. The caller disposes of it.</summary>
    public static Activity? Begin(HttpContext context, string name, string application)
    {
        Activity? activity = Activity.Current is null
            && ActivityContext.TryParse(
                context.Request.Headers.TraceParent, context.Request.Headers.TraceState, isRemote: true, out ActivityContext parent)
            ? Source.StartActivity(name, ActivityKind.Server, parent)
            : Source.StartActivity(name);
        activity?.SetTag("ripple.application", application);
        return activity;
    }

    /// <summary>The trace context to attach to the release: this activity, or the caller's own when there is no listener here.</summary>
    public static TraceContext? TraceOf(Activity? activity, HttpContext context) =>
        TraceContext.TryParse(activity?.Id ?? context.Request.Headers.TraceParent);
}
