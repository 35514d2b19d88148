using System.Security.Cryptography.X509Certificates;
using Microsoft.Extensions.Time.Testing;
using Ripple.Trust;

namespace Ripple.Admin.Tests.Trust;

/// <summary>What is said of a host is of the last one alone.</summary>
public sealed class HostJudgeTests : IDisposable
{
    private readonly ClusterAuthority _authority = ClusterAuthority.Create(TimeProvider.System);
    private readonly ClusterAuthority _other = ClusterAuthority.Create(TimeProvider.System);

    public void Dispose()
    {
        _authority.Dispose();
        _other.Dispose();
    }

    [Fact]
    public void A_success_takes_the_error_before_it_away()
    {
        var judge = new HostJudge(_authority.Trust.Fingerprint, TimeProvider.System);
        using X509Certificate2 foreign = _other.IssueHost("h2", []);
        using X509Certificate2 own = _authority.IssueHost("h1", []);

        Assert.False(judge.IsTrusted(foreign));
        Assert.NotNull(judge.Error);
        Assert.True(judge.IsTrusted(own));

        Assert.Null(judge.Error);
        Assert.Equal((_authority.ClusterId, "h1"), (judge.Trust!.ClusterId, judge.Host!.Name));
    }

    [Fact]
    public void A_failure_takes_the_host_before_it_away()
    {
        var judge = new HostJudge(_authority.Trust.Fingerprint, TimeProvider.System);
        using X509Certificate2 own = _authority.IssueHost("h1", []);

        Assert.True(judge.IsTrusted(own));
        Assert.False(judge.IsTrusted(null));

        Assert.Equal((null, null), (judge.Trust, judge.Host));
        Assert.Equal("it showed no certificate", judge.Error);
    }

    [Fact]
    public void An_authority_that_the_certificate_brings_along_is_told_only_with_a_host_that_is_trusted()
    {
        var clock = new FakeTimeProvider(DateTimeOffset.UtcNow.AddYears(3));
        var judge = new HostJudge(_authority.Trust.Fingerprint, clock);
        using X509Certificate2 own = _authority.IssueHost("h1", []);

        Assert.False(judge.IsTrusted(own));

        Assert.Contains("Compare the clocks", judge.Error, StringComparison.Ordinal);
        Assert.Equal((null, null), (judge.Trust, judge.Host));
    }
}
