using Microsoft.Extensions.Options;
using Ripple.Client;
using Ripple.Extensions.Hosting.Configuration;
using Ripple.Extensions.Hosting.Connections;

namespace Ripple.Simulator.Clients;

/// <summary>The options validation of a simulated program: it judges the release that the options are made from.</summary>
internal sealed class HostedValidation(RippleConnection connection, Func<RippleRelease, string?> judge) : IValidateOptions<HostedOptions>
{
    /// <inheritdoc/>
    public ValidateOptionsResult Validate(string? name, HostedOptions options) =>
        (ReadScope.Current?.ViewOf(connection) ?? connection.Current).Release is { } release && judge(release) is { } reason
            ? ValidateOptionsResult.Fail(reason)
            : ValidateOptionsResult.Success;
}
