using Microsoft.AspNetCore.Http;
using Ripple.Admin.Contracts;

namespace Ripple.Gms.Tests.Api;

/// <summary>What a host answered to a request.</summary>
/// <param name="Status">The HTTP status.</param>
/// <param name="Text">The body.</param>
/// <param name="Headers">The headers.</param>
internal sealed record HttpAnswer(int Status, string Text, IHeaderDictionary Headers)
{
    /// <summary>The refusal must be this one, to the letter.</summary>
    public Problem Is(int status, string code, string detail)
    {
        Problem? problem = AdminJsonText.Problem(Text);
        Assert.NotNull(problem);
        Assert.Equal((status, code, detail), (Status, problem.Code, problem.Detail));
        Assert.Equal(status, problem.Status);
        return problem;
    }
}
